// Questions that follow a moving hand: one at a time is asked, and of those that come meanwhile only the newest.

export class Newest<T> {
  private next: { value: T } | null = null;
  private busy: Promise<void> | null = null;

  constructor(private readonly work: (value: T) => Promise<void>) {}

  put(value: T): void {
    this.next = { value };
    this.busy ??= this.run();
  }

  /** What waits is forgotten; what is being asked is answered still. */
  clear(): void {
    this.next = null;
  }

  /** When everything is answered. */
  async idle(): Promise<void> {
    while (this.busy) await this.busy;
  }

  private async run(): Promise<void> {
    try {
      while (this.next) {
        const { value } = this.next;
        this.next = null;
        await this.work(value);
      }
    } finally {
      this.busy = null;
    }
  }
}
