// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blocks and pools, which divide memory into pieces.
#include "drivers/common/memory/block.h"

#include <cstring>
#include <iterator>
#include <map>
#include <random>
#include <vector>

#include "drivers/common/memory/pool.h"
#include "tests/common/memory/msm_device.h"

using namespace terrazzo;
using namespace terrazzo::memory;
using namespace terrazzo::test;

TEST_CASE("blocks: pieces do not overlap, are zero, and are returned to their slab") {
    DrmControl control;
    const auto device = open_msm(control, MsmAddresses::Bind);
    std::mt19937 random(2);
    std::vector<Block> blocks;
    for (int i = 0; i < 3000; i++) {
        if (blocks.size() < 300 || random() % 2) {
            const uint32_t size_B = 1 + random() % (random() % 16 ? 600 : 65536),
                           align_B = 1u << random() % 13;
            Block b = device->create_block(size_B, align_B, random() % 2 ? bo_flag::kExecutable : 0);
            REQUIRE(b);
            CHECK(b.va % align_B == 0);
            bool zero = true;
            for (uint32_t k = 0; k < size_B; k++)
                zero &= b.cpu[k] == 0;
            CHECK(zero);
            memset(b.cpu, 0xaa, size_B);
            CHECK(b.bo->cpu + (b.va - b.bo->va) == b.cpu);
            blocks.push_back(std::move(b));
        } else {
            std::swap(blocks[random() % blocks.size()], blocks.back());
            blocks.pop_back();
        }
    }
    std::map<uint64_t, uint32_t> by_va;
    for (const Block& b : blocks)
        by_va[b.va] = b.size_B;
    CHECK(by_va.size() == blocks.size());
    for (auto it = by_va.begin(), next = std::next(it); next != by_va.end(); ++it, ++next)
        CHECK(it->first + it->second <= next->first);
    blocks.clear();
    CHECK(!device->create_block(65537, 1));
    // The cache has everything: the same pieces need no new memory.
    const int handles = control.open_handles;
    for (int i = 0; i < 100; i++)
        blocks.push_back(device->create_block(100, 64));
    CHECK(control.open_handles == handles);
}

TEST_CASE("pool: chunks are reused") {
    DrmControl control;
    const auto device = open_msm(control, MsmAddresses::Bind);
    Pool pool(device, 64 << 10);
    uint64_t end = 0;
    for (int i = 0; i < 100; i++) {
        const auto piece = pool.allocate(100, 64);
        CHECK(piece.va % 64 == 0);
        if (i) CHECK(piece.va >= end);
        end = piece.va + 100;
        memset(piece.cpu, 1, 100);
    }
    const auto big = pool.allocate(200000, 4096);
    memset(big.cpu, 1, 200000);
    std::vector<pipe::Ref<Bo>> chunks;
    pool.detach_chunks(&chunks);
    REQUIRE(chunks.size() == 2);
    const uint64_t first = chunks[0]->va;
    pool.recycle(std::move(chunks));
    CHECK(pool.allocate(8, 8).va == first);
}

TEST_CASE("pool: a chunk that does not fit the remaining space does not end the current chunk") {
    DrmControl control;
    const auto device = open_msm(control, MsmAddresses::Bind);
    Pool pool(device, 64 << 10);
    const auto first = pool.allocate(64, 64), big = pool.allocate(1 << 20, 64), next = pool.allocate(64, 64);
    CHECK(next.va == first.va + 64);
    CHECK(big.va != first.va);
    control.gone = true;
    CHECK_THROWS_AS((void)pool.allocate(1 << 20, 64), std::bad_alloc);
}
