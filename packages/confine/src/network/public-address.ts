import type { BlockList } from 'node:net';

/**
 * Which addresses belong to the public internet. Everything else is refused: a page (or the resolver of its name) must not lead us to this
 * machine, its network, or the metadata service of its cloud.
 */
export type AddressKind = 'public' | 'loopback' | 'private';

/** Special ranges of IPv4, by RFC 6890 and its successors; then metadata services that have public addresses. */
const SPECIAL_V4: ReadonlyArray<readonly [string, number]> = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['168.63.129.16', 32],
];

/** In IPv6 only 2000::/3 is assigned to the public; inside it, these are tunnels, documentation and special protocols. */
const GIVEN_OUT_V6 = ['2000::', 3] as const;
const SPECIAL_V6: ReadonlyArray<readonly [string, number]> = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

type Lists = {
  readonly loopback: BlockList;
  readonly special4: BlockList;
  readonly givenOut6: BlockList;
  readonly special6: BlockList;
};

let lists: Lists | undefined;

/** True for an address that anybody on the internet would reach too. */
export function isPublicAddress(address: string): boolean {
  return kindOfAddress(address) === 'public';
}

export function kindOfAddress(address: string): AddressKind {
  const { isIPv4, isIPv6 } = process.getBuiltinModule('node:net');
  lists ??= makeLists();
  const plain = address.split('%', 1)[0] ?? '';
  if (isIPv4(plain)) {
    if (lists.loopback.check(plain, 'ipv4')) return 'loopback';
    return lists.special4.check(plain, 'ipv4') ? 'private' : 'public';
  }
  if (!isIPv6(plain)) return 'private';
  if (lists.loopback.check(plain, 'ipv6') && !/^::ffff:/i.test(plain)) return 'loopback';
  const isPublic = lists.givenOut6.check(plain, 'ipv6') && !lists.special6.check(plain, 'ipv6');
  return isPublic && plain === address ? 'public' : 'private';
}

function makeLists(): Lists {
  const { BlockList } = process.getBuiltinModule('node:net');
  const made = {
    loopback: new BlockList(),
    special4: new BlockList(),
    givenOut6: new BlockList(),
    special6: new BlockList(),
  };
  made.loopback.addSubnet('127.0.0.0', 8, 'ipv4');
  made.loopback.addAddress('::1', 'ipv6');
  for (const [net, prefix] of SPECIAL_V4) made.special4.addSubnet(net, prefix, 'ipv4');
  for (const [net, prefix] of SPECIAL_V6) made.special6.addSubnet(net, prefix, 'ipv6');
  made.givenOut6.addSubnet(...GIVEN_OUT_V6, 'ipv6');
  return made;
}
