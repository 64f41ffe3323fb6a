// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// asmjit, linked statically. Only for builds that have it (host_asmjit in meson.build).
#pragma once

#ifndef ASMJIT_STATIC
#define ASMJIT_STATIC
#endif
#include "asmjit/x86.h"

namespace terrazzo::host_code {

/// Every call of the emitter may report an error; the first one is kept.
class FirstError final : public asmjit::ErrorHandler {
  public:
    void handleError(asmjit::Error error, const char*, asmjit::BaseEmitter*) override {
        if (first == asmjit::kErrorOk) first = error;
    }
    asmjit::Error first = asmjit::kErrorOk;
};

}  // namespace terrazzo::host_code
