import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Networks that are no part of the public internet: this machine, the local network, metadata services, tunnels into them. */
const PRIVATE_V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

/** Public addresses begin with 001; of those, the ones that stand for another address are not. */
const PUBLIC_V6 = [['2000::', 3]] as const;
const STAND_INS_V6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const;

/** True for an address that anybody on the internet would reach as well. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !list(PRIVATE_V4, 'ipv4').check(address, 'ipv4');
  if (!isIPv6(address)) return false;
  return list(PUBLIC_V6, 'ipv6').check(address, 'ipv6') && !list(STAND_INS_V6, 'ipv6').check(address, 'ipv6');
}

function list(subnets: ReadonlyArray<readonly [string, number]>, family: 'ipv4' | 'ipv6'): BlockList {
  const blocked = new BlockList();
  for (const [net, prefix] of subnets) blocked.addSubnet(net, prefix, family);
  return blocked;
}
