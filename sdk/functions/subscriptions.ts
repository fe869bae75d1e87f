import { subscription } from "../../provider/kinds/subscription";
import {
  dataSources,
  type GetArgsOf,
  type GetFunction,
  type GetResultOf,
  type ListArgsOf,
  type ListFunction,
  type ListResultOf,
} from "./data-sources";
import type { GetOutputFunction, ListOutputFunction } from "./output-form";

const subscriptions = dataSources(subscription);

/** Which subscription: by its uid, or by parent and sink. */
export type GetSubscriptionArgs = GetArgsOf<typeof subscription>;

/** A subscription as the platform returns it. */
export interface GetSubscriptionResult extends GetResultOf<typeof subscription> {}

/**
 * One subscription to the events of a group, by its uid or by its sink.
 *
 * @example
 * ```ts
 * import { getSubscriptionOutput } from "pulumi-platform";
 *
 * export const subscriptionUid = getSubscriptionOutput({
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   sink: "https://events.example.com/platform",
 * }).uid;
 * ```
 */
export const getSubscription: GetFunction<GetSubscriptionArgs, GetSubscriptionResult> = subscriptions.one;

/** {@link getSubscription} for arguments that may be outputs. */
export const getSubscriptionOutput: GetOutputFunction<GetSubscriptionArgs, GetSubscriptionResult> = subscriptions.oneOutput;

/** Filters and order of {@link getSubscriptions}. */
export type GetSubscriptionsArgs = ListArgsOf<typeof subscription>;

/** The result of {@link getSubscriptions}. */
export interface GetSubscriptionsResult extends ListResultOf<typeof subscription> {}

/**
 * Every subscription that the filters select.
 *
 * @example
 * ```ts
 * import { getSubscriptionsOutput } from "pulumi-platform";
 *
 * export const sinks = getSubscriptionsOutput().subscriptions.apply((all) => all.map((subscription) => subscription.sink));
 * ```
 */
export const getSubscriptions: ListFunction<GetSubscriptionsArgs, GetSubscriptionsResult> = subscriptions.all;

/** {@link getSubscriptions} for arguments that may be outputs. */
export const getSubscriptionsOutput: ListOutputFunction<GetSubscriptionsArgs, GetSubscriptionsResult> = subscriptions.allOutput;
