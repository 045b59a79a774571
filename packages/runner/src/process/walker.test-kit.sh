# A process that runs away: every generation starts the next one in a session of its own and ends. It counts down, so
# that it comes to an end by itself whatever happens.
# usage: sh walker.test-kit.sh <generations> <file for a sign of life>
[ "$1" -gt 0 ] || exit 0
echo "$1" >> "$2"
trap '' TERM HUP
setsid sh "$0" $(($1 - 1)) "$2" &
exec sleep 0.01
