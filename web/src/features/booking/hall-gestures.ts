import { useGesture } from '@use-gesture/react';
import { memo, type RefObject } from 'react';
import type { Stage } from './stage';

interface HallGesturesProps {
  target: RefObject<HTMLElement | null>;
  stage: RefObject<Stage | null>;
  /** Whether the last touch moved the hall, and so was no tap. */
  dragged: RefObject<boolean>;
}

/** A finger that moves less than this, in pixels, taps. */
const tapSlack = 4;

/** Moves and enlarges the hall by finger, mouse and touchpad. Shows nothing itself, and can come after the first picture. */
export const HallGestures = memo(function HallGestures({ target, stage, dragged }: HallGesturesProps) {
  useGesture(
    {
      onDragStart: () => stage.current?.hold(),
      onPointerDown: () => {
        dragged.current = false;
      },
      onDrag: ({ pinching, cancel, first, memo, movement: [mx, my] }) => {
        if (pinching) return cancel();
        const from = first || !memo ? stage.current!.current : memo;
        dragged.current ||= Math.hypot(mx, my) > tapSlack;
        stage.current!.moveTo(from.x + mx, from.y + my);
        return from;
      },
      onPinch: ({ first, memo, origin: [ox, oy], movement: [by] }) => {
        const from: number = first || !memo ? stage.current!.current.k : memo;
        dragged.current = true;
        stage.current!.hold();
        stage.current!.zoomTo(from * by, stage.current!.toStage(ox, oy));
        return from;
      },
      onWheel: ({ event, delta: [dx, dy], ctrlKey }) => {
        // With ctrl it is a pinch of the touchpad and comes as one.
        if (ctrlKey) return;
        event.preventDefault();
        stage.current!.hold();
        stage.current!.moveBy(-dx, -dy);
      },
    },
    { target, eventOptions: { passive: false }, drag: { threshold: tapSlack } },
  );
  return null;
});
