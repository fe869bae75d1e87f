import { readFileSync } from "node:fs";
import { EmulatorProcess } from "../emulator-process.mjs";
import { figure, spread, table, target } from "../report/figures.mjs";
import { Project } from "../systems/project.mjs";

/** Clock ticks per second, which is the unit of /proc/stat on every Linux (proc_stat(5)). */
const CLOCK_TICKS = 100;

const rows = {
  preview: "`pulumi preview`",
  rehearse: "`rehearse --skip-preview`",
  up: "`pulumi up --skip-preview`",
  bound: "`up --rehearsed`",
};

/** A rehearsal beside a preview, and an update bound to it beside a plain one. */
export const rehearse = {
  title: "Rehearsals and bound updates",

  async run({ quick, save }) {
    const data = { count: quick ? 12 : 120, samples: [] };
    for (let round = 1; round <= (quick ? 1 : 3); round++) {
      for (const steps of [["preview", "rehearse", "bound"], ["up"]]) {
        data.samples.push(...(await measured(steps, data.count)));
        await save(data);
      }
    }
    return data;
  },

  report({ count, samples }) {
    return [
      `${figure(count)} new resources, state in a file. CPU is that of the whole machine meanwhile, because a rehearsal ends all its processes itself.`,
      table(
        ["", "seconds", "CPU seconds", "requests from the host"],
        Object.entries(rows).map(([step, label]) => {
          const own = samples.filter((sample) => sample.step === step);
          return [
            label,
            spread(own.map(({ seconds }) => seconds)),
            spread(own.map(({ cpu }) => cpu)),
            figure(own[0]?.requests ?? NaN),
          ];
        }),
      ),
    ].join("\n\n");
  },

  targets({ samples }) {
    const cpuOf = (step) => samples.filter((sample) => sample.step === step).map(({ cpu }) => cpu);
    const ratios = (left, right) => cpuOf(left).map((cpu, round) => cpu / cpuOf(right)[round]);
    return [
      target("CPU: a rehearsal over a preview", "at most 2", ratios("rehearse", "preview"), (ratio) => ratio <= 2),
      target("CPU: a bound up over a plain one", "at most 1.5", ratios("bound", "up"), (ratio) => ratio <= 1.5),
    ];
  },
};

/** Takes `steps` on a new stack of `count` resources. */
async function measured(steps, count) {
  const platform = await EmulatorProcess.start();
  const project = await Project.create("product", { platform, count });
  // Data sources of the program read as this identity.
  project.environment.PLATFORM_READ_ONLY_IDENTITY = platform.environment.PLATFORM_IDENTITY;
  const samples = [];
  try {
    for (const step of steps) {
      await platform.requests();
      const before = cpuSeconds();
      const { seconds } = await project.rehearsed(step);
      samples.push({ step, seconds, cpu: cpuSeconds() - before, requests: (await platform.requests()).host });
    }
    return samples;
  } finally {
    await project.close();
    await platform.stop();
  }
}

/** CPU time of the whole machine; NaN where there is no /proc. */
function cpuSeconds() {
  if (process.platform !== "linux") return NaN;
  const [, user, nice, system, , , irq, softirq] = readFileSync("/proc/stat", "utf8").split(/\s+/).map(Number);
  return (user + nice + system + irq + softirq) / CLOCK_TICKS;
}
