/** Whether this browser may tell a person of something while the page is not in front. */
export function mayNotify(): boolean {
  return 'Notification' in window && Notification.permission === 'granted';
}
