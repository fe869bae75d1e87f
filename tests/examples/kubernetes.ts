import { z } from "zod";

// The objects that the API servers take, as far as the examples use them. Strict, because an unknown field would be dropped without a word.
// Stack and Program: custom resource definitions of Pulumi Kubernetes Operator 2 (pulumi.com/v1).

const name = z.string().regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
const metadata = z.strictObject({ name, namespace: name });

const environment = z.union([
  z.strictObject({ name: z.string(), value: z.string() }),
  z.strictObject({
    name: z.string(),
    valueFrom: z.strictObject({ secretKeyRef: z.strictObject({ name, key: z.string() }) }),
  }),
]);

const container = z.strictObject({
  name,
  image: z.string().optional(),
  workingDir: z.string().optional(),
  command: z.array(z.string()).optional(),
  env: z.array(environment).optional(),
  resources: z.strictObject({ requests: z.record(z.string(), z.string()), limits: z.record(z.string(), z.string()) }).optional(),
  securityContext: z
    .strictObject({
      allowPrivilegeEscalation: z.boolean(),
      readOnlyRootFilesystem: z.boolean(),
      capabilities: z.strictObject({ drop: z.array(z.string()) }),
    })
    .optional(),
  volumeMounts: z.array(z.strictObject({ name, mountPath: z.string(), readOnly: z.boolean().optional() })),
});

const volume = z.strictObject({
  name,
  emptyDir: z.strictObject({}).optional(),
  configMap: z.strictObject({ name, optional: z.boolean() }).optional(),
  persistentVolumeClaim: z.strictObject({ claimName: name }).optional(),
  projected: z
    .strictObject({
      sources: z.array(
        z.strictObject({
          serviceAccountToken: z.strictObject({
            audience: z.string(),
            // The API server rejects less than ten minutes.
            expirationSeconds: z.int().min(600),
            path: z.string(),
          }),
        }),
      ),
    })
    .optional(),
});

const podTemplate = z.strictObject({
  spec: z.strictObject({
    serviceAccountName: name.optional(),
    automountServiceAccountToken: z.boolean().optional(),
    restartPolicy: z.enum(["Always", "OnFailure", "Never"]).optional(),
    securityContext: z
      .strictObject({
        runAsNonRoot: z.boolean(),
        runAsUser: z.int(),
        fsGroup: z.int().optional(),
        seccompProfile: z.strictObject({ type: z.enum(["RuntimeDefault", "Unconfined", "Localhost"]) }),
      })
      .optional(),
    containers: z.array(container),
    volumes: z.array(volume),
  }),
});

/** `batch/v1`, Job. */
export const job = z.strictObject({
  apiVersion: z.literal("batch/v1"),
  kind: z.literal("Job"),
  metadata,
  spec: z.strictObject({
    suspend: z.boolean().optional(),
    backoffLimit: z.int(),
    activeDeadlineSeconds: z.int(),
    template: podTemplate,
  }),
});

/** `v1`, PersistentVolumeClaim. */
export const claim = z.strictObject({
  apiVersion: z.literal("v1"),
  kind: z.literal("PersistentVolumeClaim"),
  metadata,
  spec: z.strictObject({
    accessModes: z.array(z.enum(["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"])),
    resources: z.strictObject({ requests: z.strictObject({ storage: z.string() }) }),
  }),
});

/** `batch/v1`, CronJob. */
export const cronJob = z.strictObject({
  apiVersion: z.literal("batch/v1"),
  kind: z.literal("CronJob"),
  metadata,
  spec: z.strictObject({
    schedule: z.string().regex(/^\S+ \S+ \S+ \S+ \S+$/),
    timeZone: z.string(),
    concurrencyPolicy: z.enum(["Allow", "Forbid", "Replace"]),
    startingDeadlineSeconds: z.int(),
    successfulJobsHistoryLimit: z.int(),
    failedJobsHistoryLimit: z.int(),
    jobTemplate: z.strictObject({
      spec: z.strictObject({
        backoffLimit: z.int(),
        activeDeadlineSeconds: z.int(),
        podFailurePolicy: z.strictObject({
          rules: z.array(
            z.strictObject({
              action: z.enum(["FailJob", "FailIndex", "Ignore", "Count"]),
              onExitCodes: z.strictObject({ operator: z.enum(["In", "NotIn"]), values: z.array(z.int()) }),
            }),
          ),
        }),
        template: podTemplate,
      }),
    }),
  }),
});

/** `pulumi.com/v1`, Stack. */
export const stack = z.strictObject({
  apiVersion: z.literal("pulumi.com/v1"),
  kind: z.literal("Stack"),
  metadata,
  spec: z
    .strictObject({
      stack: z.string(),
      serviceAccountName: name,
      projectRepo: z.url().optional(),
      branch: z.string().optional(),
      shallow: z.boolean().optional(),
      programRef: z.strictObject({ name }).optional(),
      config: z.record(z.string(), z.string()).optional(),
      refresh: z.boolean(),
      continueResyncOnCommitMatch: z.boolean().optional(),
      resyncFrequencySeconds: z.int().optional(),
      destroyOnFinalize: z.boolean(),
      envRefs: z.record(
        z.string(),
        z.strictObject({ type: z.literal("Secret"), secret: z.strictObject({ name, key: z.string() }) }),
      ),
      workspaceTemplate: z.strictObject({
        spec: z.strictObject({ image: z.string(), env: z.array(environment), podTemplate }),
      }),
    })
    .refine(({ projectRepo, programRef }) => (projectRepo === undefined) !== (programRef === undefined), "needs one source"),
});

/** `pulumi.com/v1`, Program. */
export const program = z.strictObject({
  apiVersion: z.literal("pulumi.com/v1"),
  kind: z.literal("Program"),
  metadata,
  program: z.strictObject({
    configuration: z.record(z.string(), z.strictObject({ type: z.enum(["String", "Number", "List<Number>", "List<String>"]) })),
    resources: z.record(z.string(), z.strictObject({ type: z.string(), properties: z.record(z.string(), z.unknown()) })),
    outputs: z.record(z.string(), z.unknown()),
  }),
});
