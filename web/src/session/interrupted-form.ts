/** What a customer has entered on a page, for the case that a login interrupts it. It holds no password. */
export interface InterruptedForm {
  /** Tells the forms of the app apart. */
  key: string;
  /** The account that entered it; '' if no one was logged in. */
  account: string;
  value: unknown;
}

/** The page that is shown, with its form if that should survive a login. */
export const shownPage: { form?: InterruptedForm | undefined } = {};
