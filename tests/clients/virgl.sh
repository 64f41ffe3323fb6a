#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
#
# virgl.sh CLIENT...: a client that draws by Mesa's virpipe, whose commands virglrenderer's vtest server executes on the driver under test.
# Mesa 22.3 knows one socket.
rm -f /tmp/.virgl_test
virgl_test_server --use-egl-surfaceless --use-gles &
for _ in $(seq 100); do [ -S /tmp/.virgl_test ] && break; sleep 0.1; done
exec env -u LD_LIBRARY_PATH LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=virpipe "$@"
