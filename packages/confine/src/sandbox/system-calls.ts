/**
 * A filter that the kernel runs before every system call of a sandboxed process. It refuses what bypasses namespaces (the keyring, sockets
 * to the hypervisor) and what is only useful here to attack the kernel. Null on machines it is not made for.
 */
export function systemCallFilter(arch: string = process.arch): Uint8Array | null {
  const machine = MACHINES[arch];
  if (machine === undefined) return null;
  const program: Instruction[] = [
    load(ARCHITECTURE),
    ...unlessEqual(machine.audit, [give(refuse(ENOSYS))]),
    load(NUMBER),
    // Calls of another ABI carry a mark in their number and would slip past the list.
    ...(machine.foreignFrom === undefined ? [] : [jumpIfAtLeast(machine.foreignFrom, 0, 1), give(refuse(ENOSYS))]),
    ...machine.refused.flatMap((number) => ifEqual(number, [give(refuse(EPERM))])),
    ...machine.modes.flatMap(([number, argument]) => ifEqual(number, refuseSetId(argument))),
    ...machine.opens.flatMap(([number, flags, mode]) =>
      ifEqual(number, [load(argumentAt(flags)), jumpIfAny(CREATES, 0, 4), ...refuseSetId(mode), give(ALLOW)]),
    ),
    ...ifEqual(OPENAT2, [give(refuse(ENOSYS))]),
    ...ifEqual(machine.socket, [
      load(argumentAt(0)),
      ...SOCKET_FAMILIES.flatMap((family) => ifEqual(family, [give(ALLOW)])),
      give(refuse(EAFNOSUPPORT)),
    ]),
    give(ALLOW),
  ];
  return encode(program);
}

/** A file that a person made could otherwise run as them for everybody; the load after the last comparison restores the number. */
function refuseSetId(argument: number): ReadonlyArray<Instruction> {
  return [load(argumentAt(argument)), jumpIfAny(S_ISUID | S_ISGID, 0, 1), give(refuse(EPERM)), load(NUMBER)];
}

const S_ISUID = 0o4000;
const S_ISGID = 0o2000;
/** O_CREAT and O_TMPFILE: without one of them the mode is ignored. */
const CREATES = 0o100 | 0o20000000;
/** A filter can't see its arguments; programs fall back to openat. */
const OPENAT2 = 437;

const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** unix, inet, inet6 and netlink are inside the network namespace; vsock, alg, packet and the rest are not, or are of no use. */
const SOCKET_FAMILIES = [1, 2, 10, 16];

type Machine = {
  readonly audit: number;
  readonly socket: number;
  readonly foreignFrom?: number;
  /** chmod, mknod and similar: the call, and which argument is the mode. mkdir sets neither bit, whatever the mode. */
  readonly modes: ReadonlyArray<readonly [number: number, mode: number]>;
  readonly opens: ReadonlyArray<readonly [number: number, flags: number, mode: number]>;
  readonly refused: ReadonlyArray<number>;
};

/** The same on every machine: io_uring (3), then the new mount calls (7). */
const SINCE_2019 = [425, 426, 427, 428, 429, 430, 431, 432, 433, 442];

/**
 * In this order: add_key, request_key, keyctl, bpf, perf_event_open, userfaultfd, open_by_handle_at, mount, umount2, pivot_root, setns,
 * kexec_load, init_module, finit_module, delete_module, process_vm_readv, process_vm_writev, quotactl, swapon, swapoff, reboot, acct, syslog.
 */
const MACHINES: Readonly<Record<string, Machine>> = {
  arm64: {
    audit: 0xc00000b7,
    socket: 198,
    modes: [
      [52, 1],
      [53, 2],
      [452, 2],
      [33, 2],
    ],
    opens: [[56, 2, 3]],
    refused: [
      217,
      218,
      219,
      280,
      241,
      282,
      265,
      40,
      39,
      41,
      268,
      104,
      105,
      273,
      106,
      270,
      271,
      60,
      224,
      225,
      142,
      89,
      116,
      ...SINCE_2019,
    ],
  },
  x64: {
    audit: 0xc000003e,
    socket: 41,
    modes: [
      [90, 1],
      [91, 1],
      [268, 2],
      [452, 2],
      [133, 1],
      [259, 2],
      [85, 1],
    ],
    opens: [
      [2, 1, 2],
      [257, 2, 3],
    ],
    foreignFrom: 0x40000000,
    refused: [
      248,
      249,
      250,
      321,
      298,
      323,
      304,
      165,
      166,
      155,
      308,
      246,
      175,
      313,
      176,
      310,
      311,
      179,
      167,
      168,
      169,
      163,
      103,
      ...SINCE_2019,
    ],
  },
};

/** Classic BPF as the kernel reads it: code, jump if true, jump if false, constant. */
type Instruction = readonly [code: number, jt: number, jf: number, k: number];

const NUMBER = 0;
const ARCHITECTURE = 4;
const ALLOW = 0x7fff0000;

function refuse(errno: number): number {
  return 0x00050000 | errno;
}

function load(offset: number): Instruction {
  return [0x20, 0, 0, offset];
}

function give(result: number): Instruction {
  return [0x06, 0, 0, result];
}

function ifEqual(value: number, then: ReadonlyArray<Instruction>): ReadonlyArray<Instruction> {
  return [[0x15, 0, then.length, value], ...then];
}

function unlessEqual(value: number, then: ReadonlyArray<Instruction>): ReadonlyArray<Instruction> {
  return [[0x15, then.length, 0, value], ...then];
}

function jumpIfAny(bits: number, jt: number, jf: number): Instruction {
  return [0x45, jt, jf, bits];
}

/** Arguments have eight bytes each; the lower half comes first. */
function argumentAt(index: number): number {
  return 16 + index * 8;
}

function jumpIfAtLeast(value: number, jt: number, jf: number): Instruction {
  return [0x35, jt, jf, value];
}

function encode(program: ReadonlyArray<Instruction>): Uint8Array {
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([code, jt, jf, k], index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(jt, index * 8 + 2);
    bytes.writeUInt8(jf, index * 8 + 3);
    bytes.writeUInt32LE(k, index * 8 + 4);
  });
  return bytes;
}
