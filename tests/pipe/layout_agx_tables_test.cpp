// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Apple's layouts: every row of the tables that were dumped from Metal. With
// TERRAZZO_AGX_TABLES=.../mesa/src/asahi/layout/tests the tables themselves are read, and a difference names
// its row.
#include <doctest/doctest.h>
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "tests/pipe/layout_agx_images.h"
#include "tests/pipe/layout_agx_vectors.h"

using namespace terrazzo::pipe;
using namespace terrazzo::pipe::agx_images;
using agx_vectors::Table;

namespace {

// The two numbers of a table's row, of our layout. In the table of multisampled images those that can be are
// compressed.
struct Numbers {
    uint64_t metadata_offset_B, size_B;
};
Numbers numbers_of(const agx_vectors::Image& v) {
    AgxLayoutDesc d = layered(image(v.format, v.width, v.height, v.levels), v.layers);
    d.image.samples = v.samples;
    d.compressed = v.table == Table::Compressed || (v.table == Table::Multisampled &&
                                                    agx_can_compress(v.format, v.width, v.height, v.samples));
    const AgxLayout a = laid_out(d);
    return {v.table == Table::Multisampled ? a.metadata_offset_B : 0, a.surface.size_B};
}
void check_row(const agx_vectors::Row& row) {
    const agx_vectors::Image& v = row.image;
    CAPTURE(int(v.table));
    CAPTURE(format_name(v.format));
    CAPTURE(v.width);
    CAPTURE(v.height);
    CAPTURE(v.layers);
    CAPTURE(v.levels);
    CAPTURE(v.samples);
    const Numbers ours = numbers_of(v);
    CHECK(ours.metadata_offset_B == row.metadata_offset_B);
    CHECK(ours.size_B == row.size_B);
}
void check_chain(const agx_vectors::Chain& chain) {
    CAPTURE(format_name(chain.format));
    CAPTURE(chain.width);
    CAPTURE(chain.height);
    const AgxLayout a =
        laid_out(image(chain.format, chain.width, chain.height, uint32_t(chain.level_B.size())));
    for (uint32_t l = 0; l < chain.level_B.size(); ++l) {
        CAPTURE(l);
        CHECK(a.surface.level[l].offset_B == chain.level_B[l]);
    }
}

// Calls f(image) for each image of a grid.
template <class F>
void each_image(const agx_vectors::Grid& g, F&& f) {
    uint32_t count = 0;
    for (const uint32_t h : g.sides)
        for (const uint32_t w : g.sides) {
            if (count == g.rows || (g.less_than_16 && std::min(w, h) >= 16)) continue;
            ++count;
            const uint32_t levels = g.all_levels ? uint32_t(std::bit_width(std::max(w, h))) : 1;
            f(agx_vectors::Image{g.table, g.format, w, h, g.layers, levels, g.samples});
        }
    CHECK(count == g.rows);
}

// ---- The tables as Mesa has them: C initializers.

Format format_named(const std::string& name) {
    const std::map<std::string, Format> formats = {{"R8_UNORM", Format::R8_UNORM},
                                                   {"R8G8_UNORM", Format::R8G8_UNORM},
                                                   {"R8G8B8A8_UNORM", Format::R8G8B8A8_UNORM},
                                                   {"R16G16B16A16_UNORM", Format::R16G16B16A16_UNORM},
                                                   {"R32G32B32A32_FLOAT", Format::R32G32B32A32_FLOAT},
                                                   {"Z32_FLOAT", Format::D32_FLOAT},
                                                   {"S8_UINT", Format::S8_UINT},
                                                   {"ETC2_RGB8", Format::ETC2_RGB8_UNORM}};
    const auto at = formats.find(name);
    return at == formats.end() ? Format::None : at->second;
}
struct Initializer {
    Format format;
    std::vector<uint64_t> numbers;
};
std::vector<Initializer> read_table(const std::string& path) {
    std::ifstream file(path);
    std::string text((std::istreambuf_iterator<char>(file)), {});
    for (size_t at; (at = text.find("/*")) != text.npos;)
        text.erase(at, text.find("*/", at) + 2 - at);
    const std::string prefix = "PIPE_FORMAT_";
    std::vector<Initializer> rows;
    for (size_t at = text.find(prefix); at != text.npos;) {
        at += prefix.size();
        const size_t next = std::min(text.find(prefix, at), text.size()), comma = text.find(',', at);
        Initializer row{format_named(text.substr(at, comma - at)), {}};
        for (size_t i = comma; i < next;) {
            if (!std::isdigit(static_cast<unsigned char>(text[i]))) {
                ++i;
                continue;
            }
            size_t length = 0;
            row.numbers.push_back(std::stoull(text.substr(i, next - i), &length, 0));
            i += length;
        }
        rows.push_back(std::move(row));
        at = text.find(prefix, at);
    }
    return rows;
}

}  // namespace

TEST_CASE("agx layout: Metal's numbers, row by row") {
    for (const agx_vectors::Row& row : agx_vectors::kRows)
        check_row(row);
    CHECK(agx_vectors::kChains.size() == 77);
    for (const agx_vectors::Chain& chain : agx_vectors::kChains)
        check_chain(chain);
}

TEST_CASE("agx layout: Metal's numbers, all rows of each grid") {
    for (const agx_vectors::Grid& g : agx_vectors::kGrids) {
        std::vector<uint64_t> numbers;
        each_image(g, [&](const agx_vectors::Image& v) {
            const Numbers n = numbers_of(v);
            numbers.push_back(n.metadata_offset_B);
            numbers.push_back(n.size_B);
        });
        INFO("To see the row that differs, set TERRAZZO_AGX_TABLES as this file's comment says.");
        CAPTURE(&g - agx_vectors::kGrids);
        CAPTURE(format_name(g.format));
        CAPTURE(g.layers);
        CAPTURE(g.samples);
        CHECK(XXH3_64bits(numbers.data(), numbers.size() * sizeof(numbers[0])) == g.digest);
    }
}

TEST_CASE("agx layout: Mesa's tables" * doctest::skip(!std::getenv("TERRAZZO_AGX_TABLES"))) {
    const char* const named = std::getenv("TERRAZZO_AGX_TABLES");
    REQUIRE(named);
    const std::string folder = named;
    using Key = std::vector<uint64_t>;
    const auto key_of = [](const agx_vectors::Image& v) {
        return Key{uint64_t(v.table), uint64_t(v.format), v.width, v.height, v.layers, v.levels, v.samples};
    };
    std::set<Key> in_grids, in_tables;
    for (const agx_vectors::Grid& g : agx_vectors::kGrids)
        each_image(g, [&](const agx_vectors::Image& v) { in_grids.insert(key_of(v)); });
    for (const auto& [file, table, count] : {std::tuple{"uncomp-twiddled.txt", Table::Uncompressed, 4726u},
                                             {"comp-twiddled.txt", Table::Compressed, 14289u},
                                             {"msaa.txt", Table::Multisampled, 14700u}}) {
        const std::vector<Initializer> rows = read_table(folder + "/" + file);
        CHECK(rows.size() == count);
        const bool multisampled = table == Table::Multisampled;
        for (const Initializer& r : rows) {
            const std::vector<uint64_t>& n = r.numbers;
            REQUIRE(r.format != Format::None);
            REQUIRE(n.size() == (multisampled ? 8 : 5));
            const auto of = [&](size_t i) { return uint32_t(n[i]); };
            const agx_vectors::Row row{
                {table, r.format, of(0), of(1), of(2), of(3), multisampled ? of(4) : 1},
                multisampled ? n[6] : 0,
                n.back()};
            if (multisampled) CHECK((n[5] == 1) == agx_can_compress(r.format, of(0), of(1), of(4)));
            check_row(row);
            in_tables.insert(key_of(row.image));
        }
        MESSAGE(std::string(file), ": ", rows.size(), " rows");
    }
    CHECK(in_grids == in_tables);
    const std::vector<Initializer> chains = read_table(folder + "/miptree.txt");
    CHECK(chains.size() == 77);
    for (const Initializer& r : chains) {
        const std::vector<uint64_t>& n = r.numbers;
        REQUIRE(n.size() == n.at(2) + 3);
        check_chain({r.format, uint32_t(n[0]), uint32_t(n[1]), {n.begin() + 3, n.end()}});
    }
    MESSAGE("miptree.txt: ", chains.size(), " rows");
}
