// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Programs through the compilers of devices, on several threads.
#pragma once

#include <span>

#include "api/command/shader_db_input.h"
#include "api/command/shader_db_progress.h"
#include "api/command/shader_db_result.h"
#include "pipe/offline_compiler.h"

namespace terrazzo::command::shader_db {

/// Every device of every driver that has a compiler.
[[nodiscard]] std::vector<const pipe::OfflineCompiler*> all_devices();
/// Those that are named; all for "all", the first for none. False: `why` says which is none, and what there
/// is.
[[nodiscard]] bool find_devices(std::span<const std::string> names,
                                std::vector<const pipe::OfflineCompiler*>* out, std::string* why);

/// A program on all devices.
[[nodiscard]] Results compile_source(const std::string& name, const Source& source,
                                     std::span<const pipe::OfflineCompiler* const> devices);

/// The results are sorted: the same for any number of threads, but for times.
[[nodiscard]] Results compile_all(std::span<const Input> inputs,
                                  std::span<const pipe::OfflineCompiler* const> devices,
                                  const LoadOptions& options, unsigned threads, Progress& progress);

}  // namespace terrazzo::command::shader_db
