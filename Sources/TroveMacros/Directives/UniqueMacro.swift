/// `#Unique`: identities and unique indexes.
enum UniqueMacro: ModelDirective {
    static let name = "#Unique"
}
