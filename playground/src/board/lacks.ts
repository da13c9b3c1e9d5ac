// What a draft lacks, in words.
import type { PipelineCardFragment } from '../client/generated';

export function lacks({ sourceConnectorId, targetConnectorId }: PipelineCardFragment): string {
  const ends = [!sourceConnectorId && 'a source', !targetConnectorId && 'a target'].filter(Boolean);
  return ends.length > 0 ? ends.join(' and ') : 'a subscription with a datamodel, a target and a table';
}
