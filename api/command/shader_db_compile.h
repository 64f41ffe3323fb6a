// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Compiles programs with the compilers of devices, on several threads.
#pragma once

#include <span>

#include "api/command/shader_db_input.h"
#include "api/command/shader_db_progress.h"
#include "api/command/shader_db_result.h"
#include "pipe/offline_compiler.h"

namespace terrazzo::command::shader_db {

/// Every device that has a compiler, of all drivers.
[[nodiscard]] std::vector<const pipe::OfflineCompiler*> all_devices();
/// The named devices; all for "all", the first one for an empty list. False: `why` names the unknown one, and
/// the existing ones.
[[nodiscard]] bool find_devices(std::span<const std::string> names,
                                std::vector<const pipe::OfflineCompiler*>* out, std::string* why);

/// Compiles a program for all devices.
[[nodiscard]] Results compile_source(const std::string& name, const Source& source,
                                     std::span<const pipe::OfflineCompiler* const> devices);

/// The results are sorted, so they do not depend on the number of threads, except for times.
[[nodiscard]] Results compile_all(std::span<const Input> inputs,
                                  std::span<const pipe::OfflineCompiler* const> devices,
                                  const LoadOptions& options, unsigned threads, Progress& progress);

}  // namespace terrazzo::command::shader_db
