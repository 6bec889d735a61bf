// Models and their downloads, as the Go side tells them.
import { on, outfit, type Setup } from '$lib/api';
import { whole } from '$lib/logic/setup';
import { app } from './app.svelte';

class SetupState {
  data = $state.raw<Setup | null>(null);
  whole = $derived(whole(this.data?.downloads ?? [], this.data?.models ?? []));

  /** Reads everything, and follows from then on. */
  async start() {
    on('downloads', (downloads) => {
      if (this.data) this.data = { ...this.data, downloads };
    });
    on('models', () => void this.read());
    await this.read();
  }

  async read() {
    try {
      this.data = await outfit.State();
    } catch (e) {
      app.fail(e);
    }
  }

  download(name: string) {
    return this.data?.downloads.find((d) => d.name === name && d.state !== 'done');
  }

  async pull(names: string[]) {
    try {
      await outfit.Pull(names);
    } catch (e) {
      app.fail(e);
    }
  }

  async pause(name: string) {
    try {
      await outfit.Pause(name);
    } catch (e) {
      app.fail(e);
    }
  }

  async demo() {
    try {
      const run = await outfit.Demo();
      app.open({ view: 'working', run });
    } catch (e) {
      app.fail(e);
    }
  }
}

export const setup = new SetupState();
