#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
#
# virgl.sh CLIENT...: a client that draws with Mesa's virpipe. virglrenderer's vtest server executes its
# commands on the driver under test. Mesa 22.3 has a fixed path for the socket.
rm -f /tmp/.virgl_test
virgl_test_server --use-egl-surfaceless --use-gles &
for _ in $(seq 100); do [ -S /tmp/.virgl_test ] && break; sleep 0.1; done
exec env -u LD_LIBRARY_PATH LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=virpipe "$@"
