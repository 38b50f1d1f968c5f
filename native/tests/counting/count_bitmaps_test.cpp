#include "support.hpp"

using namespace bitsep;

TEST_CASE("counting by bitmaps") {
    check_way(Way::bitmaps, false);
}
