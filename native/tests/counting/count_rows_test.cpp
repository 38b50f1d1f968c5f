#include "support.hpp"

using namespace bitsep;

TEST_CASE("counting by a scan of the rows") {
    check_way(Way::row_scan, false);
    check_way(Way::row_scan, true);
}

TEST_CASE("counting by sorting the rows") {
    check_way(Way::sort, false);
    check_way(Way::sort, true);
}
