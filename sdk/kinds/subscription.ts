import * as data from "../functions/data-sources";
import { type ArgsOf, type OutputsOf, resourceClass } from "../resources/declared";

/** The arguments of a {@link Subscription}. */
export type SubscriptionArgs = ArgsOf<"subscription">;

/** The outputs of a {@link Subscription} besides `uid`. */
export interface Subscription extends OutputsOf<"subscription"> {}

/**
 * A subscription, by which the platform sends the events of a group to a URL.
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
export class Subscription extends resourceClass("subscription") {}

/** Which subscription: by its uid, or by parent and sink. */
export type GetSubscriptionArgs = data.GetArgsOf<"subscription">;

/** A subscription as the platform returns it. */
export interface GetSubscriptionResult extends data.GetResultOf<"subscription"> {}

const { one, oneOutput, all, allOutput } = data.dataSources("subscription");

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
export const getSubscription: data.GetFunction<GetSubscriptionArgs, GetSubscriptionResult> = one;

/** {@link getSubscription} for arguments that may be outputs. */
export const getSubscriptionOutput: data.GetOutputFunction<GetSubscriptionArgs, GetSubscriptionResult> = oneOutput;

/** Filters and order of {@link getSubscriptions}. */
export type GetSubscriptionsArgs = data.ListArgsOf<"subscription">;

/** The result of {@link getSubscriptions}. */
export interface GetSubscriptionsResult extends data.ListResultOf<"subscription"> {}

/**
 * Every subscription that the filters select.
 *
 * @example
 * ```ts
 * import { getSubscriptionsOutput } from "pulumi-platform";
 *
 * export const receivers = getSubscriptionsOutput();
 * ```
 */
export const getSubscriptions: data.ListFunction<GetSubscriptionsArgs, GetSubscriptionsResult> = all;

/** {@link getSubscriptions} for arguments that may be outputs. */
export const getSubscriptionsOutput: data.ListOutputFunction<GetSubscriptionsArgs, GetSubscriptionsResult> = allOutput;
