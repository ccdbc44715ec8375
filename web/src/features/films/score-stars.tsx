/** The SVG path of a star in a square of 18 units, and of five such stars side by side. */
const star = 'm9 1.6 2.3 4.7 5.1.7-3.7 3.6.9 5.1-4.6-2.4-4.6 2.4.9-5.1-3.7-3.6 5.1-.7z';
const five = [0, 1, 2, 3, 4].map((at) => `M${at * 18} 0${star}`).join('');

/** A score of up to ten points as five stars. Hidden from screen readers, because the score is next to it. */
export function ScoreStars({ score }: { score: number }) {
  return (
    <svg className="score-stars" viewBox="0 0 90 18" aria-hidden="true">
      <path d={five} className="score-stars__empty" />
      {/* A nested svg clips its content to its width. */}
      <svg aria-hidden="true" width={Math.min(90, score * 9)} height="18">
        <path d={five} />
      </svg>
    </svg>
  );
}
