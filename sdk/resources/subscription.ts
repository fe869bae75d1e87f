import { subscription } from "../../provider/kinds/subscription";
import { type ArgsOf, type OutputsOf, resourceClass, type ResourceClass } from "./declared";

/** The arguments of a {@link Subscription}. */
export type SubscriptionArgs = ArgsOf<typeof subscription>;

/** The outputs of a {@link Subscription} besides `uid`. */
export interface Subscription extends OutputsOf<typeof subscription> {}

// Annotated, so that the emitted types keep the doc comments of the declaration.
const SubscriptionResource: ResourceClass<typeof subscription> = resourceClass(subscription);

/**
 * A subscription: the platform sends the events of a group to a URL.
 *
 * @example
 * ```ts
 * import { Subscription } from "pulumi-platform";
 *
 * export const audit = new Subscription("audit", {
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   sink: "https://events.example.com/platform",
 * });
 * ```
 */
export class Subscription extends SubscriptionResource {}
