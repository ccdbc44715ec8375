import { Bone, Skeleton } from '../../ui/skeleton';

const rows = [1, 2, 3, 4, 5];

/** The placeholder of the film list. */
export function FilmListSkeleton() {
  return (
    <Skeleton className="mq-divided mq-px-16 mq-block">
      {rows.map((row) => (
        <div key={row} className="film-row mq-row mq-wrap mq-gap-12 mq-py-12">
          <Bone width={80} height={120} radius={8} />
          <div className="mq-stack mq-middle mq-fill mq-gap-8">
            <Bone width="56%" height={18} />
            <Bone width="34%" />
            <Bone width="72%" />
            <Bone width="62%" />
          </div>
          <Bone width={64} height={32} radius={16} />
        </div>
      ))}
    </Skeleton>
  );
}
