// Short messages after a click. What went well goes by itself, and when the next thing is said; what failed stays until it is read.
// They stand below the menu, where they cover nothing that one clicks next.
import { createStore, useStore } from '../client/store';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly mood: 'good' | 'bad';
}

const toasts = createStore<readonly Toast[]>([]);
let next = 0;

const dismiss = (id: number) => toasts.set(toasts.get().filter((toast) => toast.id !== id));

export function say(text: string, mood: Toast['mood'] = 'good'): void {
  const id = ++next;
  toasts.set([
    ...toasts
      .get()
      .filter((toast) => toast.mood === 'bad' && toast.text !== text)
      .slice(-2),
    { id, text, mood },
  ]);
  setTimeout(() => dismiss(id), mood === 'good' ? 5_000 : 20_000);
}

export function Toasts() {
  const shown = useStore(toasts);
  return (
    <div className="toasts" role="status">
      {shown.map(({ id, text, mood }) => (
        <div key={id} className="toast" data-mood={mood}>
          <span>{text}</span>
          <button type="button" aria-label="Dismiss" onClick={() => dismiss(id)}>
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}
