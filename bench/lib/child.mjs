/** Measurements in processes of their own. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/**
 * Runs a module in a fresh process, and gives the one message that it sends.
 * @param {string} url of the module
 * @param {readonly string[]} args
 * @param {{ execArgv?: string[], message?: import("node:child_process").Serializable }} [options] `message` is what it is sent at its start
 * @returns {Promise<any>}
 */
export async function inProcess(url, args, { execArgv = [], message } = {}) {
  const child = fork(fileURLToPath(url), args, { execArgv });
  const ended = once(child, "exit");
  if (message !== undefined) child.send(message);
  const [answer] = await Promise.race([once(child, "message"), ended.then(([code]) => [new Error(`the process ended (${String(code)})`)])]);
  await ended;
  if (answer instanceof Error) throw answer;
  return answer;
}
