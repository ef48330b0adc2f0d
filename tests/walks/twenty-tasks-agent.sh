#!/bin/bash
# The agent of the walk with twenty tasks: what it does depends on the title of its task and on what it was told.
prompt=$1
title=$(sed -n 's/^Title: //p' "$prompt" | head -1)
told() { grep -qF -e "$1" "$prompt"; }
report() {
  printf '%s\n<<<OUTCOME:%s>>>\n%s' "$2" "$1" "${3:+$3
<<<END_PAYLOAD>>>
}"
  exit 0
}
question() { report needs_info 'I have to ask.' "{\"questions\":[{\"id\":\"q1\",\"question\":\"$1\",\"inputType\":\"text\"}]}"; }

if told 'You prepare the work on this task' || told 'You find out whether this task'; then
  case $title in
    asks) told 'Which colour?' || question 'Which colour?' ;;
    chooses) told 'Two ways' || report options_proposed 'Two ways.' '{"summary":"Two ways","options":[{"id":"a","label":"Short","description":"s"},{"id":"b","label":"Long","description":"l","recommended":true}]}' ;;
  esac
  report plan_complete "1. Write $title."
fi

case $title in
  asks) told 'How large?' || question 'How large?' ;;
  nothing) told '# Earlier runs' || report pr_ready 'Ready.' ;;
  risky) told '# Earlier runs' || report risky 'It touches payments.' '{"why":"It touches payments"}' ;;
  stopped) told 'cancelled' || exec sleep 900 ;;
  limited) told "the provider's limit" || { echo 'You have hit your usage limit. It resets in 5 hours.'; exit 1; } ;;
  broken) if told '# Earlier runs'; then git rm -q -f bad.txt; else echo bad > bad.txt; fi ;;
  conflict*) if grep -q '<<<<<<<' shared.txt; then echo both > shared.txt; else echo "$title" > shared.txt; fi ;;
esac
case $title in conflict*) ;; *) echo "$title" >> "${title// /-}.txt" ;; esac
report pr_ready "Written: $title."
