// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "winsys/process/descriptors.h"

#include <fcntl.h>
#include <unistd.h>

#include <iterator>

namespace terrazzo::winsys {

bool descriptors_left(unsigned count) {
    int probes[8];
    unsigned n = 0;
    while (n < count && n < std::size(probes) && (probes[n] = open("/", O_PATH | O_CLOEXEC)) >= 0)
        ++n;
    const bool left = n == count;
    while (n > 0)
        close(probes[--n]);
    return left;
}

}  // namespace terrazzo::winsys
