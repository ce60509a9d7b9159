// The socket behind one interface: `ask` sends a command and promises its answer, `onEvent` hears what goes to all pages.
import type { CommandName, Reply, Request, ServerError, ServerEvent } from "./protocol";

export class CommandError extends Error {
  readonly details: ServerError;
  constructor(details: ServerError) {
    super(details.message);
    this.details = details;
  }
}

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (reason: Error) => void;
}

export type Link = "connecting" | "open" | "lost" | "refused";

const RETRY_MILLISECONDS = 700;

export class Connection {
  onEvent: (event: ServerEvent) => void = () => {};
  onLink: (link: Link) => void = () => {};
  private socket: WebSocket | null = null;
  private next = 1;
  private readonly waiting = new Map<number, Waiting>();

  open(): void {
    this.onLink("connecting");
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/api/live`);
    this.socket = socket;
    socket.onopen = () => this.onLink("open");
    socket.onmessage = (message) => this.receive(String(message.data));
    socket.onclose = () => {
      for (const { reject } of this.waiting.values())
        reject(new CommandError({ message: "The connection to the studio was lost." }));
      this.waiting.clear();
      this.onLink("lost");
      window.setTimeout(() => this.open(), RETRY_MILLISECONDS);
    };
  }

  ask<N extends CommandName>(name: N, request: Request<N>): Promise<Reply<N>> {
    const socket = this.socket;
    if (!socket || socket.readyState !== WebSocket.OPEN)
      return Promise.reject(new CommandError({ message: "There is no connection to the studio." }));
    const id = this.next++;
    return new Promise<Reply<N>>((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      socket.send(JSON.stringify({ id, do: name, ...request }));
    });
  }

  /** Says something that is not answered. */
  tell(name: "world_seen", request: Request<"world_seen">): void {
    if (this.socket?.readyState === WebSocket.OPEN)
      this.socket.send(JSON.stringify({ id: 0, do: name, ...request }));
  }

  private receive(text: string): void {
    const message = JSON.parse(text) as {
      id?: number;
      ok?: boolean;
      error?: ServerError;
    } & Partial<ServerEvent>;
    if (message.event !== undefined) {
      this.onEvent(message as ServerEvent);
      return;
    }
    const waiting = message.id === undefined ? undefined : this.waiting.get(message.id);
    if (!waiting || message.id === undefined) return;
    this.waiting.delete(message.id);
    if (message.error) waiting.reject(new CommandError(message.error));
    else waiting.resolve(message);
  }
}
