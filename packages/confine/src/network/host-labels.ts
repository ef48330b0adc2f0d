/**
 * Whether a host equals, or is a subdomain of, another: whole labels from the end, never a part of one, so that neither `badexample.com`
 * nor `example.com.evil.test` is related to `example.com`. Both names are in the form in which they are resolved.
 */
export function hostRelation(host: string, of: string): 'same' | 'below' | 'none' {
  const [labels, wanted] = [host.split('.'), of.split('.')];
  const extra = labels.length - wanted.length;
  if (extra < 0 || !wanted.every((label, index) => labels[extra + index] === label)) return 'none';
  return extra === 0 ? 'same' : 'below';
}
