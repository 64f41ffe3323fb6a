// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A GPU for the tests of the virtual kernel's asahi driver. Programs are instructions of test_gpu.h that end
// with Nop: a render's vertex work is the one at vdm_ctrl_stream_base, its fragment work the one at
// isp_dbias_base, if that is not 0; a dispatch is the one at cdm_ctrl_stream_base.
#pragma once

#include "tests/winsys/virtual/test_gpu.h"
#include "winsys/virtual/asahi/gpu.h"

namespace terrazzo::test {

/// The commands that the GPU has received.
struct AsahiLog : GpuLog {
    std::vector<winsys::virt::asahi::RenderCommand> vertex, fragment;
    std::vector<winsys::virt::asahi::ComputeCommand> compute;
    uint64_t command_va = 0;  // of the last one
};

/// The G13G.
[[nodiscard]] winsys::virt::asahi::GpuInfo agx_info();
[[nodiscard]] std::unique_ptr<winsys::virt::Gpu> create_asahi_test_gpu(AsahiLog* log);

}  // namespace terrazzo::test
