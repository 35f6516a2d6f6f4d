import { Buffer } from "node:buffer";
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

export interface StateReader extends Disposable {
  readonly username: string;
  readonly password: string;
}

/**
 * Opens states to runs that leave no record, such as plans: for reading alone, in this process alone, and until the run
 * ends. A run reaches its state through the server that started it.
 */
export class StateReaders {
  readonly #readers = new Map<string, { readonly tokenHash: Buffer; readonly stateName: string }>();

  admit(stateName: string): StateReader {
    const username = randomBytes(20).toString("hex");
    const password = randomBytes(32).toString("base64url");
    this.#readers.set(username, { tokenHash: hashOf(password), stateName });
    return { username, password, [Symbol.dispose]: () => void this.#readers.delete(username) };
  }

  /** @param authorization the header of a request */
  mayRead(authorization: string | undefined, stateName: string): boolean {
    const [, encoded = ""] = /^Basic ([\w+/=]+)$/iu.exec(authorization ?? "") ?? [];
    const [username = "", ...password] = Buffer.from(encoded, "base64").toString("utf8").split(":");
    const reader = this.#readers.get(username);
    return (
      reader !== undefined &&
      reader.stateName === stateName &&
      timingSafeEqual(reader.tokenHash, hashOf(password.join(":")))
    );
  }
}

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
