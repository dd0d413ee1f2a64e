import Testing
import TroveStorage

struct KeyRangeTests {
    @Test func `the range after a key begins at its successor`() {
        #expect(!KeyRange.after([1]).contains([1]))
        #expect(KeyRange.after([1]).contains([1, 0]))
    }
}
