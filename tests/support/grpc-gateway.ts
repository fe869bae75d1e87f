import { startServer } from "./http-double";

/** Headers of one connection only, and of a body that is sent anew. */
const ofConnection = ["host", "connection", "content-length", "transfer-encoding", "accept-encoding"];

/**
 * The platform at `baseUrl` behind a gateway to gRPC, which forwards no message beyond `limit` characters.
 *
 * @returns its address
 */
export async function startGrpcGateway(baseUrl: string, limit: number): Promise<string> {
  const server = await startServer(async ({ method, url, headers, body }) => {
    const kept = Object.entries(headers).filter(([name]) => !ofConnection.includes(name));
    const content = body === "" ? {} : { body };
    const answer = await fetch(baseUrl + url, {
      method,
      headers: Object.fromEntries(kept) as Record<string, string>,
      ...content,
    });
    const text = await answer.text();
    const message = `grpc: received message larger than max (${text.length} vs. ${limit})`;
    return text.length > limit
      ? { status: 429, body: { code: 8, message, details: [] } }
      : { status: answer.status, headers: { "content-type": "application/json" }, body: text };
  });
  return server.url;
}
