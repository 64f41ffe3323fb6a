// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The subjects of `terrazzo explain`. Each is a function of a Probe (probe.h), in a separate process.
#pragma once

#include "api/command/egl_loader.h"
#include "api/command/explain/probe.h"

namespace terrazzo::command {

/// The results for a program that uses EGL_DEFAULT_DISPLAY. The first finding is the verdict.
void probe_program(const Findings& out);

void probe_libraries(const Findings& out);  // that programs find by name
void probe_own_folder(const Findings& out);
void probe_vendors(const Findings& out);  // of libglvnd
void probe_gbm_backend(const Findings& out);
void probe_preloads(const Findings& out);

void probe_soft(const Findings& out);
void probe_nodes(const Findings& out);  // of /dev/dri
void probe_chosen_device(const Findings& out);
void probe_shared_memory(const Findings& out);

void probe_surfaceless(const Findings& out);
void probe_device_platform(const Findings& out);
void probe_gbm_platform(const Findings& out);
void probe_wayland(const Findings& out);
void probe_x11(const Findings& out);

void probe_shader_cache(const Findings& out);
void probe_environment(const Findings& out);
void probe_rights(const Findings& out);

/// Our EGL without the variables that make it write files or report a value. False: `*why` is the reason.
[[nodiscard]] bool load_quietly(Egl* egl, std::string* why);

}  // namespace terrazzo::command
