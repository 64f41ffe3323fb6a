#!/bin/sh
# SPDX-FileCopyrightText: 2026 The Terrazzo authors
# SPDX-License-Identifier: MIT
#
# firefox.sh URL: Firefox ESR on Wayland, drawing with GL. It loads GL's functions from libGL.so.1, in
# addition to libEGL, so Terrazzo must be libglvnd's vendor. Its probe, glxtest, tries only desktop OpenGL
# with eglBindAPI, and reports no GPU if there is none. Then the CPU draws pages, and WebGL uses the device
# platform. gfx.blacklist.* overrides the probe's result.
profile="$HOME/firefox"
mkdir -p "$profile"
cat >"$profile/user.js" <<'P'
user_pref("gfx.webrender.all", true);
user_pref("gfx.blacklist.all", 1);
user_pref("gfx.blacklist.webgl-use-hardware", 1);
user_pref("gfx.egl.prefer-gles.enabled", true);
user_pref("widget.dmabuf.force-enabled", true);
user_pref("webgl.force-enabled", true);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("termsofuse.bypassNotification", true);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("security.sandbox.content.level", 0);
P
export MOZ_ENABLE_WAYLAND=1 MOZ_CRASHREPORTER_DISABLE=1 GDK_BACKEND=wayland
run=
[ -z "$TERRAZZO_DEVICE" ] || run="${LD_LIBRARY_PATH%%:*}/command/terrazzo run --glvnd --"
# shellcheck disable=SC2086 # words
exec $run firefox-esr --profile "$profile" --no-remote --new-instance "$1"
