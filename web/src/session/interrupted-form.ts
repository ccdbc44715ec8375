/** What the customer has entered on a page, kept in case a login interrupts the page. It contains no password. */
export interface InterruptedForm {
  /** Identifies the form. */
  key: string;
  /** The account that entered it; '' without a login. */
  account: string;
  value: unknown;
}

/** The form of the current page, if it should survive a login. */
export const shownPage: { form?: InterruptedForm | undefined } = {};
