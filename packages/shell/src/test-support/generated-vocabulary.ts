/**
 * The vocabulary of generated commands. Each program has words from its manual: forms that only read beside forms that write, run something
 * else, wait or leave the folder. Entries are two blanks apart; one blank belongs to the entry.
 */
export const MANUALS: ReadonlyArray<Manual> = [
  manual(
    'git',
    String.raw`log  status  diff  show  branch  tag  remote  stash  config  grep  blame  reflog  rev-parse  ls-files  ls-tree
      cat-file  for-each-ref  worktree  notes  bisect  describe  shortlog  rev-list  diff-tree  range-diff  check-attr
      commit -m x  push  checkout .  clean -fd  reset --hard  add .  fetch  archive  bundle  submodule  apply  am  rebase
      difftool  help log  gc  symbolic-ref HEAD  show-ref  merge-base a b  -c core.pager=x log  -C .. log  -p log
      --no-pager log  --git-dir=x status  --exec-path=x log  --paginate log  --no-optional-locks status  --work-tree=.. diff`,
    String.raw`--output=o  --output o  --ext-diff  --textconv  --no-index  -Ox  -O x  --open-files-in-pager=x  --show-signature
      --format=%h  --format=%G?  --format='%+GS'  --pretty=x  --pretty=oneline  --pretty=format:%s  --oneline  --stat  -p
      -S x  -G x  -L 1,2:a.txt  --upload-pack=x  --edit  --list  -l  -d x  -D x  -m x y  --contains main  --get user.name
      --get  --unset user.name  --add a.b c  --all  -1  -n 5  --since=1.week  --author=a  --graph  --name-only  --
      HEAD~1  main..HEAD  HEAD:.env  HEAD:a.txt  :.npmrc  list  list x  show  drop  expire  -v  -a  -r  -s  -q  -u  -z
      --cached  --staged  --batch  --batch-check  --filters  --word-diff=color  --color=always  -M90%  -C  -W  -w
      user.name  core.pager  core.pager x  get-url origin  origin  add x y  ../x  --follow  --exclude-standard  -o  -i
      --exec=x  --sort=-x  --merged main  --points-at HEAD  --column  --no-merged  --ignore-case  --dirty  --edit-description
      -U  --unified  -S  -G  -L  --format  --abbrev  --min-parents  --grep  --since  --word-diff-regex  --date  --exclude  --max-count`,
  ),
  manual(
    'find',
    '.  src  src lib  ..  /  *  ~  -L .  -P .  -H src  -D tree  -O3 .',
    String.raw`-name '*.ts'  -name a  -iname b  -type f  -type d  -exec rm {} \;  -exec cat {} +  -execdir ls {} \;  -ok rm {} \;
      -okdir x \;  -delete  -fprint o  -fprint0 o  -fprintf o %p  -fls o  -printf %p  -printf '%p\n'  -newer a.txt  -o  -a  !
      -not  \(  \)  '('  ')'  -prune  -regex '.*a'  -files0-from x  -maxdepth 2  -mindepth 1  -print  -print0  -ls  -quit
      -size +1k  -perm /u+x  -perm -644  -user me  -mtime -7  -mmin +5  -empty  -samefile a.txt  -newer /etc/passwd  -follow
      -xdev  -path './x/*'  -inum 5  -newermt 2020-01-01  -context x  -anewer ../x  -true  -false  ,  constructor  -name -delete
      -name -exec  -exec  -fprint  -name  --  -regextype posix-extended  -xtype l  -lname x  -depth  -daystart`,
  ),
  manual(
    'fd fdfind',
    "foo  '.*'  .  '\\.ts$'  -e ts",
    `-x rm  -X rm  -x  --exec rm  --exec=rm  --exec-batch rm  -e ts  -t f  -tx  -H  -I  -L  -l  -u  -a  -0  -1  -p  -g  -q
      --base-directory /  -d 2  --search-path ..  -E x  --hidden  --follow  -Hx rm  -HIx rm  --list-details  -S +1k
      --changed-within 1d  --max-depth=2  --format {}  -j 2  -c never  -o me  --owner me  src  ..  --  --type f  -etsx rm`,
  ),
  manual(
    'rg',
    "foo  'a|b'  -e foo  -e --pre  -f pats  -f ../pats  --files  --type-list  -- --pre",
    `--pre x  --pre=x  --pre-glob '*.x'  --hostname-bin x  --hostname-bin=x  -z  --search-zip  -L  --follow  -nL  -nz  -g '*.ts'
      -g '!x'  -t ts  -T js  -uuu  -u  --hidden  --sort path  --sortr=modified  -r x  --replace '$1'  --passthru  -i  -n  -l  -c
      --ignore-file ../x  --ignore-file x  -A 3  -B3  -C 2  -m 5  -M 80  -j 2  -E utf8  -d 2  --json  --stats  --no-config
      -U  -P  -w  -x  -o  -0  -.  --max-depth 2  --max-filesize 1M  --generate man  --debug  -V  --version  src  ..  a.txt  -F  -S
      --color=never  --colors=path:none  --engine auto  -q  --no-ignore  --one-file-system  --iglob '*.X'  -eL  -rz  -gL  -e  -g  -r  -A  -t  --glob  --replace  --sort  --color`,
  ),
  manual(
    'sort',
    'a.txt  a.txt b.txt  -  ../x  ',
    `-o out  -oout  --output=out  --output out  -T /tmp  -T.  --temporary-directory=x  --compress-program=x  --compress-program x
      --files0-from=x  -k2  -k 2,2n  -t,  -t ,  -t o  -S 5  -S5o  -u  -rn  -no out  -nro out  -m  -c  -C  -to  -ko  -k o  -h  -V  -R  -z  -s  -f
      --parallel=2  --random-source=x  --batch-size=2  --debug  --key=2  --field-separator=,  --check=quiet  --sort=human  --out=o  --unique
      --reverse  --  --buffer-size=1M  --merge  -k  -t  -S  --key  --check  --parallel  --sort`,
  ),
  manual(
    'sed',
    String.raw`'s/a/b/'  s/a/b/g  's/a/b/w o'  's/a/b/e'  's/a/b/2pw o'  's|a|b|g;s,c,w d,'  1e  '1e id'  e  F  'w out'  'W o'  'r /etc/passwd'
      'R x'  '1,5p'  '/x/p'  '/x/,/y/p'  '/[^]/p'  '/[^]/p;s,]/w x,Q,'  's/[/]/x/'  's/[^a]/w x/'  's/\[/x/'  's/\\[/x/;s,]/w x,y,'  'y/a/b/'
      'y/w/e/'  '$d'  '$!d'  'a\ x'  'i x'  'c x'  '/a/{p;d}'  '/a/{p;w o'  '1!G;h;$!d'  =  '$='  5q  'q5'  'Q'  n  'N;P;D'  l  'l 5'  '1~2p'  '2,+3d'  's/e/w/'
      's/w /e/'  's#a#b#'  's,w x,e,'  's/a/\n/'  's/a/b/;e'  's/a/b/ ; p'  ':a;N;ba'  'b'  't x'  's/a/b/m'  's/a/b/I'  '/x/I p'  '\,x,p'  '\,x,w o'  'p;w'
      '1 w'  '{p}'  '{p;w o}'  '}'  '#n'  's/x/y/#w'  'v'  'z'  -e p  -e 'w o'  -e 's/a/b/' -e p  -ep  -e  --expression=p  --expression='w o'  --expression p`,
    `-n  -i  -i.bak  -ni  -f x  -E  -r  -s  -u  -z  --in-place  --in-place=.b  --posix  --sandbox  --debug  --follow-symlinks  -l 5  -l w  -nE  -ne p  -nf x
      --file=x  --quiet  --null-data  a.txt  src/app.ts  -  ../x  .env  --  --version  -b`,
  ),
  manual(
    'awk gawk mawk nawk',
    String.raw`'{print $1}'  '{print > "o"}'  '{print >> "o"}'  '{print | "sh"}'  '{"id" | getline x}'  '{system("id")}'  'BEGIN{while(1){}}'  '{print $1>5}'
      '/x/{n++}END{print n}'  '@load "x"'  '@include "x"'  '{print ENVIRON["X"]}'  '{printf "%s\n",$2}'  '{print "a" > $1}'  '/[^]/ && "]/{x}"'
      '$1>5'  'NR==1'  'NR>5'  'length>80'  '{gsub(/a/,"b");print}'  '{close("x")}'  '{getline;print}'  'NF'  1  '!s[$0]++'  '{s+=$1}END{print s}'
      '{print $NF}'  '{print "system"}'  '{print "a|b"}'  '{print "a > b"}'  '/system/'  '/a|b/'  '/>/'  '$1~/x/{print NR":"$0}'  '{print $1/$2}'
      '{a[$1]=a[$1] $2}END{for(k in a)print k,a[k]}'  '{print substr($0,1,5)}'  '{exit}'  '{print toupper($1)}'  'BEGIN{ARGV[1]="/etc/passwd"}{print}'
      'function f(){system("x")}{f()}'  '{print |& "x"}'  'BEGIN{print "x" >"/dev/stderr"}'  '{print length}'  'a||b'  '{if($1>2)print}'  '{if($1==2)print}'
      'BEGIN{printf "a" "b"}'  '{f="system";@f("id")}'  '{print FILENAME}'  '{fflush()}'  '/a/,/b/'  '{print $1 / 2; x = "/"; print "|"}'  ''`,
    `-f p  -v x=1  -F:  -F ,  -F'\\t'  -F '[,;]'  -i inplace  -E p  -e x  -l x  --version  --  --file=p  -o x  -d  -p  --sandbox  --posix  a.txt  x=1  ../x  - .env  --csv  --profile`,
  ),
  manual(
    'jq',
    String.raw`.a  '.a|.b'  env  '$ENV'  '$ENV.X'  .env  '.env'  .env.a  input  inputs  'import "x" as x; .'  'include "x"; .'  '{env}'  '{a:env}'  '{env:.a}'
      '.[]|select(.a==1)'  '"\(env)"'  '"\(.a)"'  '"env"'  'map(.x)'  'def f: .; f'  'range(1e9)'  'repeat(1)'  '@sh'  '@base64d'  'getpath(["a"])'  halt
      debug  input_filename  'limit(1;.[])'  '{a:.b}'  '{a,b}'  keys  'to_entries[]|.key'  '.a // "x"'  '.a as $x|$x'  '$__loc__'  '$__prog_args'  '.["a"]'
      '."env"'  '.a."b"'  'env|.X'  '.env|env'  'now'  'input_line_number'  '..'  '.[0:2]'  'length'  '.a?'  'try error("x") catch .'  'reduce .[] as $i (0;.+$i)'
      'until(false;.)'  'while(true;.)'  'recurse'  'ltrimstr("x")'  'splits("a")'  'test("a")'  'include "a" {search:"./"}; .'  'get_search_list'  '# x'  ''`,
    `-r  -n  -e  -c  -s  -S  -f p  -f  --from-file p  --arg a b  --argjson a 1  --slurpfile a b  --rawfile a b  --args  --jsonargs  -L x  -Lx  --tab  --indent 2
      -rn  -rf p  --raw-input  -R  --stream  --seq  -j  -a  -C  -M  a.json  ../x  .env  -  --  -h  --version  --build-configuration  --exit-status`,
  ),
  manual(
    'tar',
    '-tf  tf  tvf  -tvf  -xf  xf  czf  -czf  -tzf  --list -f  --list --file  -tf a.tar --file  -tIf  rf  -Af  -df  -t -f  t  tfv  tfI  ftv  -ft  -vtf  --extract -f  tzf  --get -f',
    `a.tar  a.tgz  h:a.tar  ../a.tar  /a.tar  -C /  -C src  --to-command=x  --checkpoint=1  --checkpoint-action=exec=x  -I x  -Ix  --use-compress-program=x
      --rsh-command=x  -O  -F x  --info-script=x  --new-volume-script=x  -T l  -X l  --wildcards  src  -v  -z  -j  -J  --delete x  -P  --strip-components=1  --  -w  --index-file=o  --verbose  --gzip  --force-local`,
  ),
  manual(
    'xargs',
    '-n1  -I{}  -0  -P2  -r  -a a.txt  -d ,  -L1  -t  -p  ',
    "rm  cat  ls  sh -c 'x'  echo  wc -l  grep foo  git log",
  ),
  manual(
    'env',
    '-i  -u X  -S "rm a"  -S  X=1  -C ..  --split-string="ls"  --chdir=..  -  --  PATH=.  ',
    'ls  rm a  cat a.txt  sh x  -S ls  X=1 ls',
  ),
  manual(
    'xxd od hexdump hd strings base64 base32',
    'a.bin  a.bin o  -  ../a  ',
    '-r  -p  -c 4  -l 5  -i  -s 5  -C  -n 5  -d  -w 0  -e x  -f fmt  -t x1  -A d  -rp  -pr  -seek 5  -revert  --decode  -o 5  -R  @x  -v  -N 5  -j 5  -a',
  ),
  manual(
    'uniq head tail wc cut nl tac rev paste join comm fold',
    'a.txt  a.txt b.txt  a.txt /dev/null  -  ../x  .env  ',
    "-c  -f 1  -d ,  -f1  -n 5  -5  +5  -f  -F  --follow  --follow=name  -nf  --retry  --pid=1  -c5  -d' '  -s x  --output=o  --files0-from=x  -b a  -z  -u  -i  -w 5  -q  -v  -1  -2  -12  -t,  -o 1.1  --lines=5  -s  -n  -w  --lines  --bytes  --group  --skip-fields  -cf  -j",
  ),
  manual(
    'date hostname uptime id who uname free cal locale getconf',
    '  +%s  +%F  x  010203042020  root  ',
    '-s x  --set=x  --set x  -d x  -u  -f a.txt  -r a.txt  -I  -Iseconds  -R  -F x  -b  -s  -i  -p  -g  -un  -V  -a  -1  -m  -h  -c 5  -k  --date=x  --debug  --resolution  2020  5 2020  PATH  -a PATH',
  ),
  manual(
    'file tree stat ls du df readlink realpath',
    'a.txt  src  .  ..  *  ../x  /  ~  .env  -  ',
    `-C  -m x  -f x  -b  -z  -i  -Z  -o x  -L 2  -R  -H x  -I x  -P x  -l  -la  -c %n  --printf=%n  -f  -t  --format=%s  --fromfile x  --output=x  --files0-from=x  -d 1  -h  -sh  -e  -q
      -I  -w 5  -T 4  --color=auto  --hide=x  -X x  --exclude=x  --exclude-from=x  -x  --magic-file=x  --compile  -0  -k  --sort=size  --time-style=+%s  --relative-to=..  --hyperlink  -D  -1  -L  -w  -d  --time  --format  --max-depth  --ignore  --exclude  -e  -F  -P`,
  ),
  manual(
    'diff cmp diff3 grep egrep fgrep',
    'a.txt b.txt  foo a.txt  foo src  a b  -e foo a.txt  -r foo  -f p a.txt  -f ../p a.txt  foo  ',
    `-r  -u  -U 3  -y  -l  --paginate  --from-file=x  --to-file=/x  --diff-program=x  --diff-program x  -q  -N  -x '*.o'  -X x  --exclude-from=x  -I x  -i 5  -n 5  -s  -n  -R  -rn  -c  -v  -A3  -m 1
      --include='*.ts'  --exclude-dir=x  -D read  -D skip  -d recurse  --devices=read  -L  -z  --label=x  -P  -o  -w  -E  -F  --color=always  --line-format=%L  -D X  --ifdef=X  --horizon-lines=5  ../x  .env  -  -U  -C  -e  -A  -x  --unified  --context  --color  --include  --regexp`,
  ),
  manual(
    'echo printf test [ expr basename dirname seq sleep factor numfmt tr which type true',
    "a  %s x  -f a.txt ]  -n x ]  1 + 1  5  1 5  a b  a = b ]  -e a.txt  -d src ]  '%d' 5  ",
    `-n  -e  -v x  -v 'a[$(id)]'  -R x ]  -v x ]  -o a  a -a b  1 -eq 2  ! -f a  -nt b  -z  -s .ts  1000000000000  inf  5m  0.5  .5  1 0 5  1 -1 5  -w  -f %g  --to=iec  -d a  a-z A-Z  -c  -s
      -t 1  -a  -p  -P  -x a  a : b  match a b  substr a 1 2  '%(%s)T'  %n  %q  '\\x41'  ]  \\(  '<' b  -O a  -ef b  -ot b  =~`,
  ),
  manual(
    'unzip zipinfo zcat shasum md5sum sha256sum column pr fmt expand less more watch',
    'a.zip  a.gz  a.txt  ../x  -l a.zip  -  ',
    '-l  -v  -Z1  -Z  -p  -o  -d /  -x a  -n  -c  --check  -a 256  -t  -s ,  -w 80  -h x  -1  -q  -lq  -P pw  -T  -f  -u  -j  -z  -N a  -J  -n 1  --tag  -E  -O lp  -o 5',
  ),
  manual(
    'cd pushd popd',
    'src  ..  /  ~  -  src/..  -P src  -L src  -- src  ../project  "$HOME"  ./src  +1  -n src  $X  src lib',
    ' ',
  ),
  manual(
    'alias unalias shopt hash enable trap exec set unset mapfile readarray bind complete compgen history fc umask ulimit wait readonly typeset local let getopts dirs help times jobs',
    "ls=rm  -s extglob  -p ./x ls  -f x y  'rm a' EXIT  3>o  -- a  x  -C rm x  -x  -i x=1  -w o  a  ls  ",
    '-p  -l  -a  -n  -u  -r  -s  -o  -e',
  ),
  manual(
    'node python3 perl ruby bash sh make npm gcc cmake',
    "--version  -v  -V  -e x  -c 'ls'  x  -h  --help  --version x  -version  --version -e x",
    '--version  -v  -p x  -i  ',
  ),
];

/** What runs the command after it, with its own options. */
export const WRAPPERS: ReadonlyArray<string> = entries(
  `timeout 5  timeout -k 5 5  timeout -k5 5  timeout -s KILL 5  timeout --signal=KILL 5  timeout --kill-after 5 5  timeout 0  timeout 5m  timeout --foreground 5  timeout  timeout --s KILL 5
    nice  nice -n 5  nice -5  nice -n5  nice --adjustment=5  nice --adjustment 5  stdbuf -oL  stdbuf -o L  stdbuf -i 0 -o0  stdbuf --output=L  time  time -p  time --  time -o out  time -v  time -f x
    command time -o out  command time -f x -o out  command time -p  command  command -p  command --  command -v  command -V  command -pv  builtin  builtin --  exec  exec -a x  nohup  noglob  eval  !  coproc  env  env X=1  env -i
    env -S  xargs  xargs -n1  sudo  sudo -n  busybox  setsid  ionice -c3  flock x  watch -n1  strace -o x  unshare  chroot .  doas  time time  nice timeout 5  timeout 5 nice  command command  \\command  'command'
    parallel  script -c  unbuffer  setpriv  taskset 1  chrt 1  logger  source  .  exec -c  exec -l`,
);

/** Words that the shell itself expands. */
export const EXPANSIONS: ReadonlyArray<string> = [
  ...entries(String.raw`>(cat)  <(rm a)  {1..3}  {a..c}  a{b,c}d  {-o,x}  {-la,src}  {ls,-la}  {/etc/,x}passwd  {,a}  {a,{b,c}}  @(a|b)  !(a)  ?(a)  +(x)  *(a)  [a-c]*  [!a]*  **  **/*.ts  [[:alpha:]]  .*  .e*  .[e]nv
    $'\x72m'  $'\0'  $'a\0b'  $'\cA'  $'\u0072m'  $'\n'  $'a\'b'  $"a"  "a$"  $'-o'  '-o'  "-o"  -\o  "--out"put=x  $[1+1]  $((a[0]))  $((1))  $((x=1))  $((2#101))  $((0x1F))  $((1?2:3))  $(( 1 + 2 ))  $(<a.txt)  $( ls )
    ~root  ~+  ~-  ~me/x  x:~  a=~  =ls  "~"  '~'  \~  a#b  "a#"  $$  $!  $-  $_  $0  $1  $@  "$@"  $*  $#  "$#"  $RANDOM  $IFS  $PWD  "$PWD/a"  $HOME/.ssh  $OLDPWD  $BASH_ENV  $LINENO  $UID  "$USER"
    "a\"b"  "a\$b"  "a\`b"  'a'"b"c  a\
b  ''  ""  \*  \-o  \.env  .en''v  ".env"  .e\nv  %s  %1  :  ,  @x  ^a^b  a=b  -- --  --=  -=  -é  é  /dev/tcp/h/1  /dev/stdin  /dev/fd/0  /proc/self/environ  src/../../x  ./src/./a  src//a  src/.git/config  id_rsa  server.pem`),
  '${x@A}',
  '${x@E}',
  '${x//a/b}',
  '${x:=y}',
  '${x:?y}',
  '${!x*}',
  '${!x@}',
  '${#x}',
  '${x:0:1}',
  '${x[0]}',
  '${x[$(id)]}',
  '"${x[@]}"',
  '${HOME}',
  '"${HOME}/a"',
  '${PWD}',
  '${HOME@P}',
  '${HOME:-$(id)}',
  '${PWD#/}',
  '${x^^}',
  '${x-}',
  '${ ls;}',
  '${| ls;}',
  '${@:1}',
  'a b',
];

/** Frames around other commands. `§` is a command, `¤` a word. */
export const FRAMES: ReadonlyArray<string> = [
  'function f { §; }; f',
  'f() ( § ); f ¤',
  'alias ls=rm; §',
  'shopt -s expand_aliases\nalias ls=rm\n§',
  'coproc { §; }',
  'coproc X { §; }',
  'time { §; }',
  'time -p §',
  '! { §; }',
  'until §; do §; done',
  'for ((i=0;i<3;i++)); do §; done',
  'for f; do §; done',
  'for f in ¤ ¤; do cat $f; done',
  'for f in ¤; do for g in ¤; do cat "$f/$g"; done; done',
  'for x in ¤; do § "$x"; done',
  'for PATH in ¤; do §; done',
  'select x in ¤; do §; done',
  'case ¤ in ¤) §;& *) §;; esac',
  'case ¤ in (¤|a) §;;& esac',
  '((x++)); §',
  '((¤)) && §',
  'x=(¤ ¤); §',
  'x=¤ §',
  'x+=¤ §',
  'x[¤]=1 §',
  'declare -i x=¤; §',
  'export X=¤; §',
  'let ¤; §',
  '[[ ¤ == ¤ ]] && §',
  '[[ ¤ =~ ¤ ]] && §',
  '[[ ¤ -eq ¤ ]] && §',
  '[[ -v ¤ ]] && §',
  '[[ ¤ < ¤ ]] && §',
  '[[ -n ¤ && ! -f ¤ ]] && §',
  '[[ ( ¤ ) || -d ¤ ]]; §',
  'if [ -f ¤ ]; then §; elif §; then §; else §; fi',
  'if cd ¤; then §; fi; §',
  'cd ¤ && §',
  'cd ¤; §',
  '(cd ¤ && §); §',
  'cd ¤ || §',
  'cd ¤ | §; §',
  '{ cd ¤; §; } >/dev/null; §',
  '§ | while read x; do §; done',
  '§ | xargs §',
  '§ | tee ¤',
  '§ | sh',
  '§ <(§)',
  '§ >(§)',
  '§ < <(§)',
  '§ $(§)',
  '§ "$(§)"',
  '§ `§`',
  '§ "`§`"',
  'cat <<E | §\n¤\nE',
  "cat <<'E'\n$(id) ¤\nE\n§",
  'cat <<-E\n\t¤\n\tE\n§',
  'cat <<"E" && §\n`id`\nE',
  'cat <<E\n$(§)\nE',
  'cat <<E1 <<E2\n¤\nE1\n¤\nE2\n§',
  'cat <<E\n§',
  'cat <<\\E\n§\nE\n§',
  "cat <<$'E'\n§\nE",
  '§ <<< ¤',
  '§ # §',
  '§\n# §\n§',
  '§ \\\n§',
  '§ &\n§',
  '§ & §',
  '§;\n§',
  'eval "§"',
  "bash -c '§'",
  'sh <<E\n§\nE',
  'trap "§" EXIT; §',
  'exec 3<¤; §',
  '{ §; } 2>&1',
  '(§) < ¤',
  '(§) > ¤',
  '( ( § ) )',
  '{ { §; }; }',
  '((§ ) )',
  'if §; then §; fi > ¤',
  'for f in ¤; do §; done < ¤',
];

type Manual = {
  readonly names: ReadonlyArray<string>;
  /** What comes first: a subcommand, a script, a pattern, a file. */
  readonly first: ReadonlyArray<string>;
  readonly words: ReadonlyArray<string>;
};

function manual(names: string, first: string, words: string): Manual {
  return { names: names.split(' '), first: entries(first), words: entries(words) };
}

function entries(text: string): ReadonlyArray<string> {
  return text.split(/ {2,}|\n +/);
}
