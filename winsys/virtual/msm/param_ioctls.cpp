// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Properties of the GPU (adreno_gpu.c).
#include <linux/capability.h>

#include <cerrno>

#include "winsys/clock.h"
#include "winsys/virtual/device/capability.h"
#include "winsys/virtual/files/file.h"
#include "winsys/virtual/msm/driver.h"

namespace terrazzo::winsys::virt::msm::ioctls {
namespace {

constexpr uint32_t kMaxText_B = kPageSize_B;
constexpr uint32_t kMaxSysprof = 2;

bool is_text(uint32_t param) {
    return param == uapi::kMsmParamComm || param == uapi::kMsmParamCmdline;
}

int read_text(const File& file, const uapi::drm_msm_param& args, std::string* out) {
    std::string text(args.len, '\0');
    if (const int error = file.user.read(text.data(), args.value, args.len)) return error;
    *out = text.c_str();
    return 0;
}

}  // namespace

int get_param(File& file, void* data) {
    auto* args = static_cast<uapi::drm_msm_param*>(data);
    if (args->pipe != uapi::kMsmPipe3d0 || args->pad) return -EINVAL;
    const GpuInfo& info = own(file).driver().info();
    const Vm& vm = own(file).vm();  // created even if the parameter does not need it
    if (args->len) return -EINVAL;
    switch (args->param) {
        case uapi::kMsmParamGpuId:
            args->value = info.gpu_id;
            return 0;
        case uapi::kMsmParamGmemSize:
            args->value = info.gmem_size_B;
            return 0;
        case uapi::kMsmParamGmemBase:
            args->value = info.gmem_base;
            return 0;
        case uapi::kMsmParamChipId:
            args->value = info.chip_id;
            return 0;
        case uapi::kMsmParamMaxFreq:
            args->value = info.max_freq_hz;
            return 0;
        case uapi::kMsmParamTimestamp:
            args->value = monotonic_ticks(info.timestamp_hz);
            return 0;
        case uapi::kMsmParamPriorities:
            args->value = info.rings * kPrioritiesPerRing;
            return 0;
        case uapi::kMsmParamPpPgtable:
        case uapi::kMsmParamSuspends:
        case uapi::kMsmParamHasPrr:  // PRR: pages that read as zero
            args->value = 0;
            return 0;
        case uapi::kMsmParamFaults:
            args->value = vm.faults;
            return 0;
        case uapi::kMsmParamVaStart:
            args->value = info.va_start;
            return 0;
        case uapi::kMsmParamVaSize:
            args->value = info.va_size_B;
            return 0;
        case uapi::kMsmParamHighestBankBit:
            args->value = info.highest_bank_bit;
            return 0;
        case uapi::kMsmParamRaytracing:
            args->value = info.raytracing;
            return 0;
        case uapi::kMsmParamUbwcSwizzle:
            args->value = info.ubwc_swizzle;
            return 0;
        case uapi::kMsmParamMacrotileMode:
            args->value = info.macrotile_mode;
            return 0;
        case uapi::kMsmParamUcheTrapBase:
            args->value = info.uche_trap_base;
            return 0;
        default:
            return -EINVAL;
    }
}

int set_param(File& file, void* data) {
    auto* args = static_cast<uapi::drm_msm_param*>(data);
    MsmFile& context = own(file);
    if (args->pipe != uapi::kMsmPipe3d0 || args->pad) return -EINVAL;
    if (args->len > (is_text(args->param) ? kMaxText_B : 0)) return -EINVAL;
    switch (args->param) {
        case uapi::kMsmParamComm:
            return read_text(file, *args, &context.comm);
        case uapi::kMsmParamCmdline:
            return read_text(file, *args, &context.cmdline);
        case uapi::kMsmParamSysprof:
            if (!has_capability(CAP_SYS_ADMIN)) return -EPERM;
            if (static_cast<uint32_t>(args->value) > kMaxSysprof) return -EINVAL;
            context.sysprof = static_cast<uint32_t>(args->value);
            return 0;
        case uapi::kMsmParamEnVmBind:
            if (context.has_vm()) return -EBUSY;
            context.user_manages_vm = args->value != 0;
            return 0;
        default:
            return -EINVAL;
    }
}

}  // namespace terrazzo::winsys::virt::msm::ioctls
