// From where to where: source, datamodel, target, each connector with its worker's state.
import { Link } from 'wouter';
import { useScoped } from '../app/scope';
import type { ConnectorCardFragment, PipelineCardFragment } from '../client/generated';
import { Glyph } from '../ui/State';
import { workerLook } from '../ui/words';
import { kindOf } from '../connectors/kinds';

export function Flow({ pipeline }: { readonly pipeline: PipelineCardFragment }) {
  const scoped = useScoped();
  const { datamodel } = pipeline;
  return (
    <div className="flow">
      <End connector={pipeline.sourceConnector} missing="No source" />
      <Arrow />
      <span className="model">
        <b>{datamodel ? <Link href={scoped(`/datamodels/${datamodel.id}`)}>{datamodel.name}</Link> : 'none'}</b>{' '}
        <span className="quiet small">datamodel</span>
      </span>
      <Arrow />
      <End connector={pipeline.targetConnector} missing="No target" />
    </div>
  );
}

function End({ connector, missing }: { readonly connector: ConnectorCardFragment | null; readonly missing: string }) {
  const scoped = useScoped();
  if (!connector) return <span className="end missing quiet">{missing}</span>;
  const look = connector.worker && workerLook(connector.worker);
  return (
    <Link href={scoped(`/connectors/${connector.id}`)} className="end">
      <b>{connector.name}</b>
      {look && (
        <span className="state bare" data-mood={look.mood}>
          <Glyph shape={look.shape} />
          {look.word} <span className="kind">{kindOf(connector.connectorType)}</span>
        </span>
      )}
    </Link>
  );
}

function Arrow() {
  return (
    <svg className="arrow" viewBox="0 0 24 12" role="img" aria-label="to">
      <path d="M0 6h20M15 1.5 20.5 6 15 10.5" fill="none" stroke="currentColor" strokeWidth="1.6" />
    </svg>
  );
}
