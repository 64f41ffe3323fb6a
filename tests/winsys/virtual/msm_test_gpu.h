// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// An Adreno for the tests of the virtual kernel. Its command buffers consist of test_gpu.h's instructions.
#pragma once

#include "tests/winsys/virtual/test_gpu.h"
#include "winsys/virtual/msm/gpu.h"

namespace terrazzo::test {

constexpr uint32_t kInstr_dw = sizeof(Instr) / 4;

/// As in an SDM845. `allow_relocs`: like a GPU before A6xx.
[[nodiscard]] winsys::virt::msm::GpuInfo msm_test_info(bool allow_relocs = false);
/// For each submit that finds another context's registers, 1000 + the queue is appended to the log.
[[nodiscard]] std::unique_ptr<winsys::virt::Gpu> create_msm_test_gpu(GpuLog* log);

}  // namespace terrazzo::test
