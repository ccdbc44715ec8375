import { Bone, Skeleton } from '../../ui/skeleton';

/** A cinema's page while it loads. */
export function CinemaSkeleton() {
  return (
    <Skeleton className="cinema-bones">
      <Bone width="62%" height={20} />
      <Bone width="84%" />
      <div className="cinema-bones__posters">
        {[1, 2, 3, 4].map((poster) => (
          <Bone key={poster} width={72} height={108} radius={8} />
        ))}
      </div>
      <ShowsSkeleton />
    </Skeleton>
  );
}

/** A list of showings while it loads. */
export function ShowsSkeleton() {
  return [1, 2, 3, 4].map((row) => <Bone key={row} height={64} radius={12} />);
}
