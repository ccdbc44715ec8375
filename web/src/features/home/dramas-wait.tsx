import { Bone, Skeleton } from '../../ui/skeleton';

/** As high as the strip of stage projects, while that loads. */
export function DramasWait() {
  return (
    <Skeleton className="dramas-wait">
      <Bone width={72} height={20} />
      <Bone height={116} radius={10} />
    </Skeleton>
  );
}
