// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Mali's part of tests/common/mutation: the waits, flushes and slots of command streams and shaders. One
// variant of each run has an exhausted heap: the first two draws of each pass each find no memory once.
#pragma once

#include "tests/common/mutation/mutation.h"
