source /work/h/numb.act; cd /tmp/nb
cat > /dev/null
