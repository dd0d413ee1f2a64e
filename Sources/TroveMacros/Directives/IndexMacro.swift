/// `#Index`: indexes by order.
enum IndexMacro: ModelDirective {
    static let name = "#Index"
}
