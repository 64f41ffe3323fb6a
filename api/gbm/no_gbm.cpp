// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The answers of a build without gbm.h (-Dgbm=disabled).
#include "api/gbm/platform.h"

namespace terrazzo::gbm {

std::unique_ptr<winsys::Platform> create_platform(void*, api::FileDevice*, std::string*) {
    return nullptr;
}

bool is_gbm_device(const void*) {
    return false;
}

bool is_own_device(const void*) {
    return false;
}

std::string describe_foreign_device(const void*) {
    return "Terrazzo was built without GBM";
}

pipe::Ref<pipe::Resource> find_bo_image(void*, const pipe::Screen&, std::string* why) {
    *why = "Terrazzo was built without GBM";
    return nullptr;
}

}  // namespace terrazzo::gbm
