// A form by its address, for who may not do what it does: said at once, not when it is sent.
import type { ReactNode } from 'react';
import { useKnown } from '../app/rights';
import { Notice } from './Notice';

export function Allowed({ when, children }: { readonly when: boolean; readonly children: ReactNode }) {
  const known = useKnown();
  if (!known) return null;
  return when ? children : <Notice mood="waiting">You may look, but not make or change this.</Notice>;
}
