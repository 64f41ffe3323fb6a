// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// One object per stage of a pipeline, indexed by the stage.
#pragma once

#include <array>

#include "pipe/state.h"

namespace terrazzo::pipe {

template <class T>
class PerStage {
  public:
    [[nodiscard]] T& operator[](Stage s) { return all_[size_t(s)]; }
    [[nodiscard]] const T& operator[](Stage s) const { return all_[size_t(s)]; }
    [[nodiscard]] auto begin() { return all_.begin(); }
    [[nodiscard]] auto end() { return all_.end(); }

  private:
    std::array<T, kStageCount> all_{};
};

}  // namespace terrazzo::pipe
