import PackageCatalogueKit

/// The demo's program; what it does is in PackageCatalogueKit, which tests can import, as they can no program.
@main
enum CatalogueMain {
    static func main() async {
        await CatalogueCommand.main()
    }
}
